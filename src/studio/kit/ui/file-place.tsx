import { CopyButton } from './copy-button.tsx';
import styles from './file-place.module.css';

export interface FilePlaceProps {
  path: string;
  /** Path and line as they are shown. */
  place: string;
  copy: string;
  copied: string;
}

/** Where a file is. No page can open it, so its path can be taken along. */
export const FilePlace = ({ path, place, copy, copied }: FilePlaceProps) => (
  <span className={styles.place}>
    <span dir="auto">{place}</span>
    <CopyButton text={path} copied={copied}>
      {copy}
    </CopyButton>
  </span>
);
