import type { Tags } from '../../frame/module.ts';
import type { Contract } from '../../kit/contract.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import { notFound } from '../../kit/errors.ts';
import { headerNames } from '../../kit/http/etag.ts';
import { packagedAsset } from '../../kit/openapi/assets.ts';
import { openApiDocument } from '../../kit/openapi/document.ts';
import { type DocsPage, redocPage, swaggerPage } from '../../kit/openapi/pages.ts';
import { ReadyJson, Reply, type RouteRequest } from '../../kit/route.ts';
import { API_DESCRIPTION, API_TITLE, OPERATIONS_TAGS } from './tags.ts';

type Headers = RouteRequest['headers'];

const ASK_AGAIN = 'no-cache';
const KEEP_AN_HOUR = 'public, max-age=3600';

const etagOf = (text: string): string => `"${sha256Hex(text).slice(0, 32)}"`;

/** Returns the body, or a 304 without one for a browser that has it. */
function unlessKnown(
  requestHeaders: Headers,
  headers: Record<string, string> & { etag: string },
  body: unknown,
): Reply {
  const isKnown = headerNames(requestHeaders['if-none-match'], headers.etag);
  return isKnown ? new Reply('', { status: 304, headers }) : new Reply(body, { headers });
}

export interface DocsOptions {
  /** Every contract of the surface; called when the document is first read. */
  contracts(): readonly Contract[];
  /** Descriptions of the groups of routes, in the order in which they are shown. */
  tags: Tags;
  /** The product's version, as the document shows it. */
  version: string;
  /** Title and description of the surface; those of the core by default. */
  about?: { title: string; description: string };
  accessCookie?: string;
}

const CORE = { title: API_TITLE, description: API_DESCRIPTION };

/** The API's description and its two pages. The document is built on first use and kept as text. */
export function createDocs({ contracts, tags, version, about = CORE, accessCookie }: DocsOptions) {
  let document: { text: string; etag: string } | undefined;
  const write = () => {
    const text = JSON.stringify(
      openApiDocument({
        contracts: contracts(),
        ...about,
        version,
        servers: [{ url: '/' }],
        tags: { ...tags, ...OPERATIONS_TAGS },
        accessCookie,
      }),
    );
    return { text, etag: etagOf(text) };
  };

  return {
    openApi(requestHeaders: Headers): Reply {
      document ??= write();
      const headers = { etag: document.etag, 'cache-control': ASK_AGAIN };
      return unlessKnown(requestHeaders, headers, new ReadyJson(document.text));
    },
    swagger: createPage(swaggerPage(about.title)),
    redoc: createPage(redocPage(about.title)),
  };
}

function createPage({ html, policy, files }: DocsPage) {
  const etag = etagOf(html);
  return {
    page: (requestHeaders: Headers): Reply =>
      unlessKnown(
        requestHeaders,
        {
          etag,
          'cache-control': ASK_AGAIN,
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': policy,
          'referrer-policy': 'no-referrer',
        },
        html,
      ),
    async file(name: string, requestHeaders: Headers): Promise<Reply> {
      const own = Object.hasOwn(files, name) ? files[name] : undefined;
      if (own) {
        const headers = { etag: etagOf(own.text), 'cache-control': ASK_AGAIN, 'content-type': own.type };
        return unlessKnown(requestHeaders, headers, own.text);
      }
      const asset = await packagedAsset(name);
      if (!asset) throw notFound(`The page has no file '${name}'`);
      const headers = { etag: asset.etag, 'cache-control': KEEP_AN_HOUR, 'content-type': asset.type };
      const isKnown = headerNames(requestHeaders['if-none-match'], asset.etag);
      return unlessKnown(requestHeaders, headers, isKnown ? '' : await asset.read());
    },
  };
}

export type Docs = ReturnType<typeof createDocs>;
