export function bearerOf({
  authorization,
}: {
  authorization?: string | string[] | undefined;
}): string | null {
  if (typeof authorization !== 'string') return null;
  const isBearer = authorization.length > 7 && authorization.slice(0, 7).toLowerCase() === 'bearer ';
  return isBearer ? authorization.slice(7).trim() : null;
}
