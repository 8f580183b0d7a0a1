import { YAMLException } from 'js-yaml';
import { DOCUMENT_LIMITS } from './limits.ts';
import type { DocumentProblem, DocumentProblemCode } from './problem.ts';
import { lineEnd } from './text.ts';

/** For the parser's most common messages. */
const ADVICE: Record<string, string> = {
  'deficient indentation':
    'the lines of a value in brackets or quotes, the closing one too, must be indented more than its key',
  'bad indentation of a mapping entry':
    'this line does not fit in here: check its indentation, and quote values that contain ": "',
  'tab characters must not be used in indentation': 'indent with spaces; YAML does not allow tabs there',
};

export function yamlProblem(error: unknown, yaml: string, yamlLine: number): DocumentProblem {
  if (!(error instanceof YAMLException)) {
    return {
      reason: `the frontmatter cannot be read: ${String(error)}`,
      line: yamlLine,
      column: 1,
      code: 'yaml',
    };
  }
  const line = yamlLine + (error.mark?.line ?? 0);
  const column = (error.mark?.column ?? 0) + 1;
  const { code, reason } = explain(error, yaml);
  return { reason, line, column, code };
}

function explain(error: YAMLException, yaml: string): { code: DocumentProblemCode; reason: string } {
  const reason = error.reason;
  if (reason.startsWith('duplicated mapping key')) {
    return {
      code: 'duplicate_key',
      reason: `the key ${keyAt(yaml, error.mark?.position ?? 0)} appears twice; keep one`,
    };
  }
  if (reason.startsWith('nesting exceeded')) {
    return {
      code: 'too_deep',
      reason: `the frontmatter is nested deeper than ${DOCUMENT_LIMITS.depth} levels`,
    };
  }
  if (reason.startsWith('aliases exceeded')) {
    return { code: 'alias_bomb', reason: `the frontmatter has more than ${DOCUMENT_LIMITS.aliases} aliases` };
  }
  return { code: 'yaml', reason: ADVICE[reason] ?? reason };
}

function keyAt(yaml: string, position: number): string {
  // The parser points behind the quote of a key.
  const start = /["']/.test(yaml.charAt(position - 1)) ? position - 1 : position;
  const line = yaml.slice(start, lineEnd(yaml, start));
  return /^(?:"[^"]*"|'[^']*'|[^:\s][^:]*)/.exec(line)?.[0].trim() ?? '';
}
