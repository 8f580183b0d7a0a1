import type { ReactNode } from 'react';
import { Link } from '../router/link.tsx';
import styles from './choice-cards.module.css';

/** A few ways to go on, side by side; of `ChoiceCard`. */
export const ChoiceCards = ({ children }: { children: ReactNode }) => (
  <ul className={styles.cards}>{children}</ul>
);

export interface ChoiceCardProps {
  href: string;
  title: string;
  why: string;
}

export const ChoiceCard = ({ href, title, why }: ChoiceCardProps) => (
  <li>
    <Link href={href} className={styles.card}>
      <strong dir="auto">{title}</strong>
      <span className={styles.why}>{why}</span>
    </Link>
  </li>
);
