// The printed solution: every move is a button that shows its position. Arrow keys go from move to move.

import { useMemo, useRef } from 'preact/hooks';
import { asText, type Section, type Token } from './solution';

interface SolutionProps {
  sections: Section[];
  /** The number of the move that is shown. */
  chosen: number | null;
  onChoose(index: number, token: Token): void;
}

export function SolutionView({ sections, chosen, onChoose }: SolutionProps) {
  const box = useRef<HTMLDivElement>(null);
  const tokens = useMemo(() => movesOf(sections), [sections]);
  const focus = (index: number) => {
    const at = Math.min(tokens.length - 1, Math.max(0, index));
    const token = tokens[at];
    if (!token) return;
    onChoose(at, token);
    box.current?.querySelector<HTMLButtonElement>(`[data-index="${at}"]`)?.focus();
  };
  const press = (event: KeyboardEvent) => {
    const at = chosen ?? -1;
    const steps: Record<string, number> = {
      ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tokens.length - 1,
      ArrowDown: lineStep(box.current, at, 1), ArrowUp: lineStep(box.current, at, -1),
    };
    const to = steps[event.key];
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    focus(to);
  };
  let index = -1;
  return (
    <div
      class="solution" ref={box} data-testid="solution" onKeyDown={press} role="group"
      aria-label="The solution; arrow keys go from move to move"
    >
      {sections.map((section) => (
        <div key={section.title} role="group" aria-label={section.title}>
          <h2>{section.title}</h2>
          {section.lines.map((line, n) => (
            <p key={n} class={`solution-line indent-${Math.min(line.depth, 16)}`}>
              {line.tokens.map((token, i) => {
                if (!token.moves) return <span key={i}>{token.text}</span>;
                index += 1;
                const at = index;
                return (
                  <button
                    key={i} type="button" class="move" data-index={at} aria-pressed={chosen === at}
                    tabIndex={at === (chosen ?? 0) ? 0 : -1} onClick={() => onChoose(at, token)}
                  >
                    {token.text}
                  </button>
                );
              })}
            </p>
          ))}
        </div>
      ))}
    </div>
  );
}

export function movesOf(sections: Section[]): Token[] {
  return sections.flatMap((section) => section.lines).flatMap((line) => line.tokens).filter((token) => token.moves);
}

/** The first move of the line before or behind. */
function lineStep(box: HTMLElement | null, at: number, step: number): number {
  const lines = [...(box?.querySelectorAll('.solution-line') ?? [])].filter((line) => line.querySelector('.move'));
  const here = lines.findIndex((line) => line.querySelector(`[data-index="${at}"]`));
  const move = lines[Math.min(lines.length - 1, Math.max(0, here + step))]?.querySelector<HTMLElement>('.move');
  return Number(move?.dataset.index ?? at);
}

export function CopySolution({ sections }: { sections: Section[] }) {
  return (
    <button type="button" onClick={() => void navigator.clipboard?.writeText(asText(sections)).catch(() => {})}>Copy</button>
  );
}
