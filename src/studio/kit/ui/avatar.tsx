import type { CSSProperties } from 'react';
import styles from './avatar.module.css';
import { classNames } from './class-names.ts';

export interface AvatarProps {
  /** Gives the colour, the same everywhere. */
  id: string;
  name: string;
  src?: string | null;
  size?: 's' | 'm' | 'l';
  /** The name stands beside it. */
  isDecoration?: boolean;
}

export const Avatar = ({ name, isDecoration = false, ...face }: AvatarProps) =>
  isDecoration ? (
    <span aria-hidden="true" className={styles.frame}>
      <Face name={name} {...face} />
    </span>
  ) : (
    <span role="img" aria-label={name || '?'} title={name} className={styles.frame}>
      <Face name={name} {...face} />
    </span>
  );

const Face = ({ id, name, src, size = 'm' }: AvatarProps) => (
  <span className={classNames(styles.avatar, styles[size])} style={{ '--hue': hueOf(id) } as CSSProperties}>
    {src ? <img src={src} alt="" className={styles.picture} /> : initialsOf(name)}
  </span>
);

/** The first letters of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return (
    letters
      .map((word) => Array.from(word ?? '')[0] ?? '')
      .join('')
      .toLocaleUpperCase() || '?'
  );
}

function hueOf(id: string): number {
  let hash = 7;
  for (const char of id.slice(0, 100)) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 997;
  return (hash * 137) % 360;
}
