export type HeaderValue = string | string[] | undefined;

/** True if `If-Match` or `If-None-Match` names this entity tag; `*`, lists and weak tags are understood. */
export function headerNames(header: HeaderValue, tag: string): boolean {
  if (header === undefined) return false;
  return [header]
    .flat()
    .join(',')
    .split(',')
    .some((each) => {
      const plain = each.trim().replace(/^W\//, '');
      return plain === '*' || plain === tag;
    });
}
