import { randomBytes } from 'node:crypto';
import { type Act, type Api, canSee } from './api.ts';
import { badRequest, forbidden, invalid, notFound } from './api-error.ts';
import { hasFullText, matches, parentIn } from './matches.ts';
import { isFolder, type StoredFile } from './objects.ts';
import { parseQuery } from './query.ts';
import { renderFile } from './render.ts';
import { type Answer, type ApiRequest, answerJson, flag, numberOf } from './requests.ts';
import { DEFAULT_FILE, FILE_LIST } from './schemas.ts';
import type { Store } from './store.ts';

export const listFiles: Act = (api, request) => {
  const { query, fault } = request;
  const size = numberOf(query, 'pageSize', 100, 1000);
  const asked = ['q', 'orderBy', 'corpora', 'driveId'].map((name) => query.get(name) ?? '').join('\n');
  const token = query.get('pageToken');
  const page = token === null ? { ids: find(api, request), from: 0, query: asked } : api.pages.get(token);
  if (!page || page.query !== asked || fault.pageToken) throw invalid('pageToken');
  const ids = page.ids.slice(page.from, page.from + size);
  const next = page.from + size < page.ids.length ? `~!!~${randomBytes(30).toString('base64url')}` : null;
  if (next) api.pages.set(next, { ...page, from: page.from + size });
  return listAnswer(api, request, ids, next);
};

function listAnswer(api: Api, request: ApiRequest, ids: string[], next: string | null): Answer {
  const { fault } = request;
  const kept =
    fault.list === 'empty' ? [] : fault.list === 'short' ? ids.filter((_, at) => at % 2 === 0) : ids;
  const files = kept.flatMap((id) => {
    const file = api.store.files.get(id);
    return file && canSee(api, file) ? [renderFile(api, file)] : [];
  });
  const answer = {
    kind: 'drive#fileList',
    ...(next && fault.list !== 'empty' && { nextPageToken: next }),
    incompleteSearch: fault.list === 'incomplete',
    files: fault.list === 'incomplete' ? files.slice(0, Math.floor(files.length / 2)) : files,
  };
  return answerJson(request, answer, FILE_LIST, `kind,nextPageToken,incompleteSearch,files(${DEFAULT_FILE})`);
}

function find(api: Api, { query }: ApiRequest): string[] {
  const { store } = api;
  const text = query.get('q') ?? '';
  const parsed = text.trim() === '' ? null : parseQuery(text);
  const parentId = parsed && parentIn(parsed);
  if (parentId !== null) checkParent(api, parentId);
  const candidates =
    parentId === null
      ? store.files.values()
      : store.childrenOf(parentId === 'root' ? store.rootId : parentId).values();
  const isThere = inCorpora(query);
  const found = candidates
    .filter((file) => file.parentId !== null && isThere(file) && canSee(api, file))
    .filter((file) => parsed === null || matches(store, parsed, file))
    .toArray();
  const order = query.get('orderBy');
  if (order && parsed && hasFullText(parsed))
    throw badRequest(
      'Sorting is not supported for queries with fullText terms. Results are always in descending relevance order.',
    );
  return found.sort(orderOf(store, order || 'modifiedTime desc')).map(({ id }) => id);
}

function checkParent(api: Api, parentId: string): void {
  if (parentId === 'root') return;
  const parent = api.store.files.get(parentId);
  // The real drive says `fileId` here, too.
  if (!parent || !canSee(api, parent)) {
    const error = notFound('.');
    throw Object.assign(error, { item: { ...error.item, message: `File not found: .` } });
  }
}

function inCorpora(query: URLSearchParams): (file: StoredFile) => boolean {
  const corpora = query.get('corpora') ?? (query.has('driveId') ? 'drive' : 'user');
  const driveId = query.get('driveId');
  if (!['user', 'drive', 'allDrives', 'domain'].includes(corpora)) throw invalid('corpora');
  if ((corpora === 'drive') !== (driveId !== null))
    throw badRequest('The driveId parameter must be specified if and only if corpora is set to drive.');
  const withDrives = flag(query, 'includeItemsFromAllDrives') && flag(query, 'supportsAllDrives');
  if (corpora === 'drive' && !withDrives)
    throw forbidden(
      'teamDrivesIncludeRequired',
      'The includeItemsFromAllDrives parameter must be set to true when a shared drive is searched.',
    );
  if (corpora === 'drive') return (file) => file.driveId === driveId;
  return (file) => file.driveId === null || withDrives;
}

type Order = (a: StoredFile, b: StoredFile) => number;

function orderOf(store: Store, text: string): Order {
  const collator = new Intl.Collator('en', { numeric: true });
  const byTime =
    (time: (file: StoredFile) => number): Order =>
    (a, b) =>
      time(a) - time(b);
  const keys: Record<string, Order> = {
    name: (a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)),
    name_natural: (a, b) => collator.compare(a.name, b.name),
    folder: (a, b) => Number(isFolder(b)) - Number(isFolder(a)),
    modifiedTime: byTime((file) => file.modifiedAt),
    createdTime: byTime((file) => file.createdAt),
    recency: byTime((file) => file.modifiedAt),
    modifiedByMeTime: byTime((file) => (file.modifiedBy === store.account ? file.modifiedAt : 0)),
    viewedByMeTime: () => 0,
    sharedWithMeTime: () => 0,
    starred: () => 0,
    quotaBytesUsed: byTime((file) => file.revisions.at(-1)?.content.length ?? 0),
  };
  const orders = text.split(',').map((part) => {
    const [name = '', direction, more] = part.trim().split(/\s+/);
    const order = Object.hasOwn(keys, name) ? keys[name] : undefined;
    if (!order || more !== undefined || (direction !== undefined && direction !== 'desc'))
      throw invalid('orderBy');
    return direction === 'desc' ? (a: StoredFile, b: StoredFile) => order(b, a) : order;
  });
  return (a, b) => orders.reduce((result, order) => result || order(a, b), 0);
}
