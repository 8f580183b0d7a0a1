import styles from './skeleton.module.css';
import { Skeleton } from './skeleton.tsx';

/** In the place of a page that is on its way; it appears late, so that fast answers do not flicker. */
export const PageSkeleton = () => (
  <div className={styles.page}>
    <Skeleton height="2rem" />
    <Skeleton lines={8} height="1.25rem" />
  </div>
);
