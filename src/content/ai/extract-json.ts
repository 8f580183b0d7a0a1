import { isMap, type JsonMap } from '../../text/json.ts';
import { endOfJsonString } from '../../text/json-strings.ts';

/** Openings that are tried: more say that the answer is no JSON. */
const MOST_TRIES = 50;

/** Objects that a text holds in full, one after another. */
function* candidates(text: string): Generator<string> {
  let from = text.indexOf('{');
  for (let tries = 0; from >= 0 && tries < MOST_TRIES; tries += 1) {
    const end = endOfValue(text, from);
    if (end !== undefined) yield text.slice(from, end);
    from = text.indexOf('{', end ?? from + 1);
  }
}

/** The index after the value that opens at `from`; undefined if it never closes. */
function endOfValue(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      const end = endOfJsonString(text, at);
      if (end === undefined) return undefined;
      at = end - 1;
    } else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** Models like to write a comma before a closing bracket. */
function withoutTrailingCommas(json: string): string {
  const parts: string[] = [];
  let at = 0;
  while (at < json.length) {
    const quote = json.indexOf('"', at);
    const end = quote < 0 ? json.length : quote;
    parts.push(json.slice(at, end).replaceAll(/,(\s*[}\]])/g, '$1'));
    at = quote < 0 ? end : (endOfJsonString(json, quote) ?? json.length);
    parts.push(json.slice(end, at));
  }
  return parts.join('');
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The largest JSON object in an answer, also between words or in a code block; undefined if it has none that is complete. */
export function extractJson(answer: string): JsonMap | undefined {
  const whole = parse(answer);
  if (isMap(whole)) return whole;
  return [...candidates(answer)]
    .toSorted((a, b) => b.length - a.length)
    .map((json) => parse(json) ?? parse(withoutTrailingCommas(json)))
    .find(isMap);
}
