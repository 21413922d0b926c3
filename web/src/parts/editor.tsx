// An editor for rules: a plain text field with numbers beside it and a layer below it that underlines what is wrong.
// The layer has the same text, so that the box is as large as the text is and both scroll as one.

import { useMemo, useRef } from 'preact/hooks';
import { pieces, rangeOf, type EditorProblem } from '../lib/editor-marks';

export interface EditorProps {
  value: string;
  label: string;
  problems: EditorProblem[];
  /** Whether the text is being looked at. */
  busy?: boolean;
  onInput(value: string): void;
  /** Ctrl+Enter. */
  onSubmit?: () => void;
}

let count = 0;

export function Editor({ value, label, problems, busy, onInput, onSubmit }: EditorProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useMemo(() => `editor-problems-${++count}`, []);
  const parts = useMemo(() => pieces(value, problems), [value, problems]);
  const lines = useMemo(() => numbers(value, problems), [value, problems]);
  const errors = problems.filter((problem) => problem.severity === 'error');
  const show = (problem: EditorProblem) => {
    const range = rangeOf(value, problem);
    const box = field.current?.closest('.editor');
    field.current?.focus({ preventScroll: true });
    if (!range || !box) return;
    field.current?.setSelectionRange(range[0], range[1]);
    // A selection does not scroll by itself. All lines are of one height.
    const height = (field.current?.scrollHeight ?? 0) / lines.length;
    box.scrollTop = ((problem.line ?? 1) - 1) * height - box.clientHeight / 3;
  };
  return (
    <div class="editor-box">
      <div class="editor" data-testid="editor">
        <pre class="editor-lines" aria-hidden="true">
          {lines.map(({ number, mark }) => <span key={number} class={mark ? `line-${mark}` : undefined}>{`${number}\n`}</span>)}
        </pre>
        <div class="editor-text">
          <pre class="editor-marks" aria-hidden="true">
            {parts.map((part, i) => (part.mark ? <u key={i} class={`mark-${part.mark}`}>{part.text}</u> : part.text))}
            {'\n'}
          </pre>
          <textarea
            ref={field} aria-label={label} aria-invalid={errors.length > 0} aria-describedby={id} spellcheck={false}
            autocomplete="off" autocapitalize="off" wrap="off" value={value} data-testid="editor-field"
            onInput={(event) => onInput(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSubmit?.();
            }}
          />
        </div>
      </div>
      <Problems id={id} problems={problems} busy={busy ?? false} onShow={show} />
    </div>
  );
}

interface ProblemsProps {
  id: string;
  problems: EditorProblem[];
  busy: boolean;
  onShow(problem: EditorProblem): void;
}

function Problems({ id, problems, busy, onShow }: ProblemsProps) {
  return (
    <div class="editor-problems" id={id} aria-live="polite" aria-busy={busy}>
      {problems.length === 0 && <p class="quiet">{busy ? 'reading…' : 'Nothing is wrong with this text.'}</p>}
      {problems.map((problem, i) => (
        <div key={i} class={`editor-problem is-${problem.severity}`} data-testid={`editor-${problem.severity}`}>
          <span class="problem-shape" aria-hidden="true">{problem.severity === 'error' ? '✗' : '⚠'}</span>
          <div>
            {problem.line !== null && (
              <button type="button" class="link" onClick={() => onShow(problem)}>
                line {problem.line}{problem.column !== null && `, column ${problem.column}`}
              </button>
            )}{' '}
            <span>{problem.message}</span>
            {problem.word !== '' && !problem.message.includes(problem.word) && (
              <> <code class="fault-word">{problem.word}</code></>
            )}
            {problem.help && <p class="quiet">{problem.help}</p>}
          </div>
        </div>
      ))}
    </div>
  );
}

/** The lines, with what is wrong in them. */
function numbers(text: string, problems: EditorProblem[]) {
  const marks = new Map<number, EditorProblem['severity']>();
  for (const { line, severity } of problems) {
    if (line !== null && marks.get(line) !== 'error') marks.set(line, severity);
  }
  return text.split('\n').map((_, i) => ({ number: i + 1, mark: marks.get(i + 1) ?? null }));
}
