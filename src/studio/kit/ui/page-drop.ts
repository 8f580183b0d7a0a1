import { useEffect, useEffectEvent, useState } from 'react';

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;

/**
 * Takes a file that is dropped anywhere on the page, which a browser would otherwise open in its place. True while one is held
 * above it. A button must do the same by keyboard.
 */
export function usePageDrop(onDrop: (file: File) => void, isDisabled: boolean): boolean {
  const [isOver, setOver] = useState(false);
  const over = useEffectEvent((event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = isDisabled ? 'none' : 'copy';
    setOver(!isDisabled);
  });
  // It has no related target where the window itself is left.
  const leave = useEffectEvent((event: DragEvent) => event.relatedTarget === null && setOver(false));
  const drop = useEffectEvent((event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer?.files[0];
    if (file && !isDisabled) onDrop(file);
  });
  useEffect(() => {
    const ending = new AbortController();
    const options = { signal: ending.signal };
    document.addEventListener('dragover', (event) => over(event), options);
    document.addEventListener('dragleave', (event) => leave(event), options);
    document.addEventListener('drop', (event) => drop(event), options);
    return () => ending.abort();
  }, []);
  return isOver;
}
