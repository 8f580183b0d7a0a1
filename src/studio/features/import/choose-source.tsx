import { type DragEvent, useEffect, useRef, useState } from 'react';
import { type Picked, type PickFault, pickedFrom, pickedFromDrop } from '../../data/picked-files.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import styles from './import.module.css';
import { importTexts } from './import-texts.ts';

interface ChooseSourceProps {
  fault: PickFault | 'unreadable' | null;
  onPick: (reading: Promise<Picked | PickFault>) => Promise<void>;
}

/** By drop, or by the browser's own choice of folders and files. */
export function ChooseSource({ fault, onPick }: ChooseSourceProps) {
  const texts = useTexts(importTexts);
  const [isOver, setOver] = useState(false);
  const folder = useRef<HTMLInputElement>(null);
  const files = useRef<HTMLInputElement>(null);

  // React knows no property of this name.
  useEffect(() => {
    if (folder.current) folder.current.webkitdirectory = true;
  }, []);

  function allow(event: DragEvent) {
    event.preventDefault();
    setOver(true);
  }

  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    void onPick(pickedFromDrop(event.dataTransfer.items));
  }

  const take = (list: FileList | null) => list && list.length > 0 && void onPick(pickedFrom([...list]));
  return (
    <>
      {fault && <Notice tone="warning">{texts.faults[fault]}</Notice>}
      <section
        aria-label={texts.drop}
        className={styles.drop}
        data-over={isOver || undefined}
        onDragOver={allow}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <p className={styles.dropTitle}>{texts.drop}</p>
        <div className={styles.buttons}>
          <Button tone="primary" onPress={() => folder.current?.click()}>
            {texts.chooseFolder}
          </Button>
          <Button onPress={() => files.current?.click()}>{texts.chooseZip}</Button>
        </div>
        <p className={styles.quiet}>{texts.limits}</p>
        <input
          ref={folder}
          type="file"
          hidden
          aria-label={texts.chooseFolder}
          onChange={(event) => take(event.target.files)}
        />
        <input
          ref={files}
          type="file"
          hidden
          multiple
          accept=".zip,.md,.csv,.tsv"
          aria-label={texts.chooseZip}
          onChange={(event) => take(event.target.files)}
        />
      </section>
    </>
  );
}
