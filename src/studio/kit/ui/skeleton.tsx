import styles from './skeleton.module.css';

/** Grey lines in the place of what is on its way; a live region says so, not they. */
export const Skeleton = ({ lines = 1, height = '1em' }: { lines?: number; height?: string }) => (
  <div aria-hidden="true" className={styles.lines}>
    {Array.from({ length: lines }, (_, line) => `line ${line}`).map((key) => (
      <div key={key} className={styles.line} style={{ blockSize: height }} />
    ))}
  </div>
);
