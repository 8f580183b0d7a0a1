import styles from './marked-text.module.css';

interface MarkedTextProps {
  /** In order; the changed ones are marked. */
  pieces: readonly { text: string; isChanged: boolean }[];
  /** The change that the marks stand for. */
  kind: 'removed' | 'added';
}

/** A text of which some words were taken out, or put in. */
export function MarkedText({ pieces, kind }: MarkedTextProps) {
  const Mark = kind === 'removed' ? 'del' : 'ins';
  let at = 0;
  return pieces.map(({ text, isChanged }) => {
    const key = at;
    at += text.length;
    return isChanged ? (
      <Mark key={key} className={styles[kind]}>
        {text}
      </Mark>
    ) : (
      <span key={key}>{text}</span>
    );
  });
}
