import { type RefObject, useEffect, useRef, useState } from 'react';
import { droppedFiles, pastedFiles } from './incoming.ts';

export type Incoming = { files: File[]; hasFolder: boolean };

const composerOf = (inside: Element | null): HTMLElement | null =>
  inside?.closest<HTMLElement>('[data-composer]') ?? null;

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;

type Zone = { rect: DOMRect } | undefined;

/** Files that are pasted into the field or dropped onto its conversation; gives the zone while some are held over it. */
export function useIncoming(inside: RefObject<Element | null>, onFiles: (incoming: Incoming) => void): Zone {
  const [zone, setZone] = useState<Zone>();
  const latest = useRef(onFiles);
  useEffect(() => {
    latest.current = onFiles;
  });
  useEffect(() => {
    const composer = composerOf(inside.current);
    const place = composer?.parentElement;
    if (!composer || !place) return;
    const onPaste = (event: ClipboardEvent) => {
      const files = event.clipboardData ? pastedFiles(event.clipboardData) : [];
      if (files.length === 0) return;
      event.preventDefault();
      latest.current({ files, hasFolder: false });
    };
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setZone((previous) => previous ?? { rect: place.getBoundingClientRect() });
    };
    const onLeave = ({ relatedTarget: to }: DragEvent) => {
      if (!(to instanceof Node && place.contains(to))) setZone(undefined);
    };
    const onDrop = (event: DragEvent) => {
      setZone(undefined);
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      latest.current(droppedFiles(event.dataTransfer.items));
    };
    const control = new AbortController();
    const { signal } = control;
    composer.addEventListener('paste', onPaste, { signal });
    place.addEventListener('dragenter', onOver, { signal });
    place.addEventListener('dragover', onOver, { signal });
    place.addEventListener('dragleave', onLeave, { signal });
    place.addEventListener('drop', onDrop, { signal });
    // A file that is dropped beside the conversation would be opened in place of the page.
    document.addEventListener('dragover', refuse, { signal });
    document.addEventListener('drop', refuse, { signal });
    return () => control.abort();
  }, [inside]);
  return zone;
}

const refuse = (event: DragEvent) => {
  if (event.defaultPrevented || !hasFiles(event) || !event.dataTransfer) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = 'none';
};
