import { UNKNOWN_FIELD } from '../validation/index.ts';

/** One thing that is wrong with a file of the content folder. `line` and `column` count from 1. */
export interface ContentFinding {
  path: string;
  line: number;
  column: number;
  severity: 'error' | 'warning' | 'info';
  /** The broken rule, `template.<code>` for what the template asks; null for what is wrong with the file itself. */
  rule_id: string | null;
  message: string;
}

/** Whether something is wrong, and not just a rule's warning or hint. */
export const isFault = ({ severity, rule_id }: ContentFinding): boolean =>
  severity === 'error' || rule_id === null || (rule_id.startsWith('template.') && rule_id !== UNKNOWN_FIELD);
