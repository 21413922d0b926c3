// Files that are dropped anywhere on the page, or picked.

import { useEffect, useRef, useState } from 'preact/hooks';

/** Whether files are held over the window; drops go to `onFiles`. */
export function useDrop(onFiles: (files: File[]) => void): boolean {
  const [over, setOver] = useState(false);
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    let inside = 0;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      inside += 1;
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      inside = Math.max(0, inside - 1);
      if (inside === 0) setOver(false);
    };
    const hover = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      inside = 0;
      setOver(false);
      latest.current([...(event.dataTransfer?.files ?? [])]);
    };
    const all = { dragenter: enter, dragleave: leave, dragover: hover, drop };
    const entries = Object.entries(all) as [keyof typeof all, (event: DragEvent) => void][];
    for (const [name, listener] of entries) addEventListener(name, listener);
    return () => {
      for (const [name, listener] of entries) removeEventListener(name, listener);
    };
  }, []);
  return over;
}

interface PickProps {
  label: string;
  onFiles(files: File[]): void;
}

export function PickFiles({ label, onFiles }: PickProps) {
  return (
    <label class="pick-files">
      <input
        type="file" multiple class="visually-hidden" data-testid="proof-file"
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          // The same file can be picked again when it has changed.
          event.currentTarget.value = '';
        }}
      />
      <span class="button">{label}</span>
    </label>
  );
}
