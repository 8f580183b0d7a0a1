import { type DragEvent, type ReactNode, useState } from 'react';
import { FileTrigger, Group } from 'react-aria-components';
import { Button } from './button.tsx';
import styles from './file-drop.module.css';

export interface FileButtonProps {
  /** Media types, such as `image/*`. */
  accept: readonly string[];
  onPick: (file: File) => void;
  children: ReactNode;
}

/** Opens the device's own window for files. */
export const FileButton = ({ accept, onPick, children }: FileButtonProps) => (
  <FileTrigger acceptedFileTypes={[...accept]} onSelect={(files) => files?.[0] && onPick(files[0])}>
    <Button>{children}</Button>
  </FileTrigger>
);

export interface DropAreaProps {
  onDrop: (file: File) => void;
  isDisabled?: boolean;
  children: ReactNode;
}

/** Takes a file that is dropped on it; a button within does the same by keyboard. */
export function DropArea({ onDrop, isDisabled = false, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false);
  const takes = ({ dataTransfer }: DragEvent) => !isDisabled && dataTransfer.types.includes('Files');
  return (
    <Group
      className={styles.area ?? ''}
      {...(isOver && { 'data-over': true })}
      onDragOver={(event) => {
        if (!takes(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!takes(event)) return;
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer.files[0];
        if (file) onDrop(file);
      }}
    >
      {children}
    </Group>
  );
}
