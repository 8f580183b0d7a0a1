import type { IncomingHttpHeaders } from 'node:http';
import { sha256Hex } from '../../kit/crypto.ts';
import { notFound } from '../../kit/errors.ts';
import { acceptedEncoding } from '../../kit/http/accepted-encoding.ts';
import { headerNames } from '../../kit/http/etag.ts';
import { Reply } from '../../kit/route.ts';
import { pageHeaders } from './page-headers.ts';
import type { StudioFile, StudioFiles } from './studio-files.ts';

const ASK_AGAIN = 'no-cache';
const KEEP_FOR_EVER = 'public, max-age=31536000, immutable';

export interface PageRequest {
  headers: IncomingHttpHeaders;
  /** The origin at which the caller reached the service. */
  origin: string;
}

export interface StudioPages {
  files: StudioFiles | null;
  /** The origins whose frames the page may show, as a source of its policy. */
  framesOf(origin: string): string;
}

/** The web app as the build made it: one page for all its addresses, and the files that the page loads. */
export function createStudio({ files, framesOf }: StudioPages) {
  async function reply(
    built: StudioFiles,
    file: StudioFile,
    request: IncomingHttpHeaders,
    more: Record<string, string> = {},
  ): Promise<Reply> {
    const encoding = acceptedEncoding(request, file.encodings);
    const bytes = await built.read(file, encoding);
    const etag = `"${sha256Hex(bytes).slice(0, 32)}"`;
    const headers = {
      ...more,
      etag,
      'cache-control': file.isHashed ? KEEP_FOR_EVER : ASK_AGAIN,
      ...(file.encodings.length > 0 && { vary: 'accept-encoding' }),
    };
    if (headerNames(request['if-none-match'], etag)) return new Reply('', { status: 304, headers });
    return new Reply(bytes, {
      headers: {
        ...headers,
        'content-type': file.mediaType,
        ...(encoding && { 'content-encoding': encoding }),
      },
    });
  }

  const pageOf = (built: StudioFiles, { headers, origin }: PageRequest) =>
    reply(built, built.page, headers, pageHeaders(framesOf(origin)));

  return {
    isBuilt: files !== null,

    async page(request: PageRequest): Promise<Reply> {
      if (files === null) throw notBuilt();
      return pageOf(files, request);
    },

    async asset(path: string, request: IncomingHttpHeaders): Promise<Reply> {
      if (files === null) throw notBuilt();
      const file = files.assets.get(path);
      if (file === undefined) throw notFound(`The web app has no file '${path}'`);
      return reply(files, file, request);
    },

    async worker(request: IncomingHttpHeaders): Promise<Reply> {
      if (files?.worker === undefined) throw notBuilt();
      return reply(files, files.worker, request, { 'service-worker-allowed': '/' });
    },

    async manifest(request: IncomingHttpHeaders): Promise<Reply> {
      if (files?.manifest === undefined) throw notBuilt();
      return reply(files, files.manifest, request);
    },

    /** For a browser at an address that does not exist, which the page explains; null where there is no page. */
    async pageOfUnknown({ headers, origin }: PageRequest): Promise<Reply | null> {
      const { 'if-none-match': _, ...unconditional } = headers;
      return files && pageOf(files, { headers: unconditional, origin });
    },
  };
}

export type Studio = ReturnType<typeof createStudio>;

const notBuilt = () =>
  notFound('The web app was not built: run npm run build, then start again. The API is described at /docs', {
    code: 'not_built',
  });
