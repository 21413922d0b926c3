// A proof: dropped or made here, verified, and walked through piece by piece.

import '../pages.css';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Failure, Files, ProofOutline } from '../api';
import { backend } from '../backend';
import { bytes } from '../lib/format';
import { packList, unpackList } from '../lib/pack';
import { failureOf, FailureBox } from '../parts/failure';
import { ProofTree } from '../parts/prooftree';
import { useWork } from '../parts/search';
import { filesOf, filesParam, navigate, type Params } from '../route';
import type { PageProps } from './index';
import { Demos } from './proof/demos';
import { PickFiles, useDrop } from './proof/drop';
import { gamesOf, isCertificate, namedAsWanted } from './proof/files';
import { Place } from './proof/place';
import { filters, NO_FILTER } from './proof/store';
import { ExportBar, FilterBar, FindBar } from './proof/tools';
import { useProof } from './proof/use-proof';
import { VerifyPanel } from './proof/verify';
import { claimsText } from './proof/words';

const HEAD = 1 << 16;

export function ProofPage({ params }: PageProps) {
  const proof = params.proof ?? '';
  const packed = params.files ?? '';
  const files = useMemo(() => filesOf(params), [packed]);
  const verification = useWork();
  const [strict, setStrict] = useState(false);
  const [upload, setUpload] = useState<number | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  // What was found out about another proof says nothing about this one.
  const verified = useRef('');
  useEffect(() => {
    if (verified.current !== proof) verification.clear();
  }, [proof]);
  const verify = (id: string, rules: Files | undefined, strictly: boolean) => {
    verified.current = id;
    verification.start({ work: 'verify', proof: id, strict: strictly, ...(rules ? { files: rules } : {}) });
  };
  const take = async (dropped: File[]) => {
    if (dropped.length === 0) return;
    setFailure(null);
    try {
      const { certificate, head, rules } = await sorted(dropped, proof !== '');
      const named = namedAsWanted(gamesOf(head), rules);
      if (!certificate) {
        const all = { ...files, ...named };
        navigate('proof', { ...params, files: filesParam(all) }, { replace: true });
        verify(proof, all, strict);
        return;
      }
      setUpload(0);
      const { proof: id } = await backend.openProof(certificate, setUpload);
      const all = Object.keys(named).length > 0 ? named : undefined;
      navigate('proof', { proof: id, files: filesParam(all) });
      verify(id, all, strict);
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      setUpload(null);
    }
  };
  const over = useDrop((dropped) => void take(dropped));
  return (
    <div class={`page page-proof ${over ? 'drop-over' : ''}`} data-testid="proof-drop">
      <div class="proof-head">
        <h1>Proofs</h1>
        <p class="drop-line">
          Drop a certificate anywhere on this page, with the file of its rules if it has one, or{' '}
          <PickFiles label="Choose files" onFiles={(picked) => void take(picked)} />
        </p>
        <p class="drop-progress" aria-live="polite">
          {upload !== null && <><progress max={1} value={upload} aria-label="sent" /> {Math.round(upload * 100)} % sent</>}
        </p>
      </div>
      <FailureBox failure={failure} />
      {proof === '' && (
        <div class="proof-top">
          <HowTo />
          <Demos />
        </div>
      )}
      {proof !== '' && (
        <OpenProof key={proof} params={params} proof={proof} files={files}>
          <VerifyPanel
            work={verification} strict={strict} onStrict={setStrict} onVerify={() => verify(proof, files, strict)}
          />
        </OpenProof>
      )}
    </div>
  );
}

function HowTo() {
  return (
    <section class="panel how-to" aria-label="What it is">
      <p>A certificate is a text that shows what a player can force, so that a small program can check it:</p>
      <pre><code>foregone solve connect-four:5x4 --proof proof.txt</code></pre>
      <p>It is replayed against the rules of the game, and you can walk through it. Answers on the board have proofs, too.</p>
    </section>
  );
}

/** Which of several files is the certificate: one that begins like it, else the only one. With a proof that is open
 *  already, texts that are no certificates are its rules. */
async function sorted(dropped: File[], hasProof: boolean) {
  const heads = await Promise.all(dropped.map((file) => file.slice(0, HEAD).text()));
  let at = heads.findIndex(isCertificate);
  if (at < 0 && (!hasProof || !dropped.every((file) => /\.(kif|game|joint|csv|gdl)$/i.test(file.name)))) at = 0;
  const others = dropped.filter((_, i) => i !== at && !isCertificate(heads[i] ?? ''));
  const rules = await Promise.all(others.map(async (file) => ({ name: file.name, text: await file.text() })));
  return { certificate: dropped[at] ?? null, head: heads[at] ?? '', rules };
}

interface OpenProps {
  params: Params;
  proof: string;
  files: Files | undefined;
  /** What stands beside the outline. */
  children: ComponentChildren;
}

function OpenProof({ params, proof, files, children }: OpenProps) {
  const certificate = Math.max(0, Number(params.certificate ?? 0) || 0);
  const path = unpackList(params.path);
  const state = useProof(proof, certificate, path, files);
  const [filter, setFilter] = useState(NO_FILTER);
  const [said, setSaid] = useState('');
  const steps = useRef(0);
  const { outline, view, store } = state;
  const header = outline?.certificates[certificate];
  // Claims that are kept by position have no blocks, so there is nothing below them to be counted.
  const sized = header?.kind === 'in-turn' || header?.kind === 'formula';
  const rows = useMemo(() => store.rows(filter, path), [store, state.version, filter, store.key(path)]);
  const filtered = filters(filter);
  useEffect(() => {
    if (filtered) state.loadAll();
  }, [filtered, store.key(path)]);
  const go = (to: string[], which = certificate) => {
    steps.current += 1;
    setSaid('');
    navigate('proof', { ...params, certificate: which === 0 ? '' : String(which), path: packList(to) });
  };
  const place = { proof, certificate, path, ...(files ? { files } : {}) };
  const jump = async () => {
    if (!view) return;
    setSaid('looking for that line…');
    try {
      const wanted = view.same_as === null ? view.view.position : `#${view.same_as}`;
      const found = await backend.find({ ...place, path: [] }, wanted);
      if (found.path) go(found.path);
      else setSaid('that line was not found in time');
    } catch (error) {
      setSaid(failureOf(error)?.message ?? '');
    }
  };
  return (
    <>
      <div class="proof-top">
        <Outline outline={outline} certificate={certificate} onPick={(which) => go([], which)} />
        {children}
      </div>
      <FailureBox failure={state.failure} />
      <div class="proof-columns">
        <div class="proof-left">
          {view
            ? <Place
                view={view} path={state.viewPath} written={writtenWay(store, state.viewPath)} busy={state.loading}
                prover={header?.prover ?? ''} sized={sized} onGo={(to) => go(to)} onJump={() => void jump()}
                canBack={steps.current > 0}
              />
            : !state.failure && <div class="board-room" aria-busy="true" />}
          <p class="quiet" role="status">{said}</p>
        </div>
        <section class="proof-right" aria-label="All of it">
          <FilterBar filter={filter} sized={sized} onFilter={setFilter} />
          <ProofTree
            rows={rows} current={store.key(path)} sized={sized} onShow={(to) => go(to)}
            onOpen={state.openAt} onClose={state.closeAt} onPage={state.page}
          />
          <FindBar place={place} onGo={(to) => go(to)} />
          <ExportBar place={place} />
        </section>
      </div>
    </>
  );
}

/** The moves of a path as people write them, as far as the open part of the tree knows. */
function writtenWay(store: ReturnType<typeof useProof>['store'], path: string[]): string[] {
  return path.map((move, i) => {
    const child = store.at(path.slice(0, i))?.children.find((each) => each.move === move);
    return child?.san ?? move;
  });
}

const KIND_WORDS = {
  'in-turn': 'moves in turn', formula: 'a formula', mixed: 'joint moves', expected: 'on average', scores: 'many players',
} as const;

interface OutlineProps {
  outline: ProofOutline | null;
  certificate: number;
  onPick(certificate: number): void;
}

function Outline({ outline, certificate, onPick }: OutlineProps) {
  return (
    <section class="panel proof-outline" aria-label="What it says" data-testid="proof-outline">
      {!outline && <p class="quiet">opening…</p>}
      {outline && (
        <p class="quiet" role="status">
          {bytes(outline.bytes)}, {claimsText(outline.claims)}
          {outline.indexed < 1 && !outline.problem && <> · index {Math.floor(outline.indexed * 100)} %</>}
        </p>
      )}
      {outline?.problem && <p class="verdict bad" role="alert">{outline.problem}</p>}
      <ol class="certificates">
        {outline?.certificates.map((each, i) => (
          <li key={i}>
            <button type="button" class="certificate" aria-pressed={i === certificate} onClick={() => onPick(i)}>
              <strong>{each.claims_that}</strong>
              <span class="quiet">{each.game}, {KIND_WORDS[each.kind]}, {claimsText(each.claims)}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
