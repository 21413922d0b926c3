// What is around every page: the header with the ways to all pages, the banner, the main part.

import { useEffect, useRef, useState } from 'preact/hooks';
import { backend } from '../backend';
import { PAGE } from '../pages/index';
import { PAGES, href, useRoute, type PageName } from '../route';

const IN_HEADER: PageName[] = [
  'gallery', 'study', 'proof', 'problem', 'rulesheet', 'graph', 'experiments', 'help',
];

export function App() {
  const { page, params } = useRoute();
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    document.title = page === 'gallery' ? 'Foregone' : `${PAGE[page].title} · Foregone`;
    // A screen reader goes on with the new page, not with the link that led there.
    if (!first.current) {
      main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    first.current = false;
  }, [page]);
  const View = PAGE[page].view;
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); main.current?.focus(); }}>
        Skip to the page
      </a>
      <header class="site-header">
        <a class="brand" href={href('gallery')}><Mark />Foregone</a>
        <nav aria-label="Pages" class="site-nav">
          {IN_HEADER.map((name) => (
            <a key={name} href={href(name)} aria-current={isAt(name, page) ? 'page' : undefined}>
              {PAGE[name].title}
            </a>
          ))}
        </nav>
        <ThemeSwitch />
      </header>
      <ConnectionBanner />
      <main id="main" ref={main} tabIndex={-1}>
        <View params={params} key={PAGES.indexOf(page)} />
      </main>
    </>
  );
}

/** A board belongs to the games. */
function isAt(name: PageName, page: PageName): boolean {
  return name === page || (name === 'gallery' && page === 'board');
}

function Mark() {
  return (
    <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" class="brand-ground" />
      <circle cx="11" cy="11" r="4.5" class="brand-one" />
      <circle cx="21" cy="21" r="4.5" class="brand-two" />
      <path d="M14.5 14.5l3 3" class="brand-line" />
    </svg>
  );
}

function ConnectionBanner() {
  const [connected, setConnected] = useState(true);
  useEffect(() => backend.onConnection(setConnected), []);
  return (
    <div class="connection" aria-live="assertive" data-testid="connection" data-connected={connected}>
      {!connected && <p>The server can’t be reached. Trying again…</p>}
    </div>
  );
}

type Theme = 'auto' | 'light' | 'dark';
const THEMES: Theme[] = ['auto', 'light', 'dark'];

function savedTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem('theme')) ?? 'auto';
  } catch {
    return 'auto';
  }
}

function ThemeSwitch() {
  const [theme, setTheme] = useState(savedTheme);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem('theme', theme);
    } catch {
      // A browser that keeps nothing still shows the choice.
    }
    dispatchEvent(new Event('theme'));
  }, [theme]);
  return (
    <label class="theme">
      <span class="visually-hidden">Colours</span>
      <select value={theme} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
        <option value="auto">Auto</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}
