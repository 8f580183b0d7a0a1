import { createClient } from '../../client/client.ts';
import { ClientError } from '../../client/error.ts';
import { messageOf } from '../../kit/errors.ts';
import { type PluginReply, uploadPlugin } from '../../world/plugins/plugins.contract.ts';
import { type CliContext, CommandError } from '../context.ts';
import { projectIdOf } from '../project.ts';

export interface ServiceOptions {
  url: string;
  token?: string;
  project?: string;
}

export type Uploaded = { ok: true; plugin: PluginReply } | { ok: false; detail: string };
export type Upload = (archive: Uint8Array<ArrayBuffer>) => Promise<Uploaded>;

/** Uploads archives to a running service. */
export function createUpload(context: CliContext, options: ServiceOptions): Upload {
  const token = options.token ?? context.env.CANONRY_TOKEN;
  if (!token)
    throw new CommandError(
      'the service must know who uploads: set CANONRY_TOKEN to an API key or access token of an admin',
    );
  const url = addressOf(options.url);
  const client = createClient({ contracts: { uploadPlugin }, baseUrl: url.origin, token });
  const headers = { 'x-project-id': projectIdOf(options) };
  return async (archive) => {
    try {
      const file = new Blob([archive], { type: 'application/zip' });
      return {
        ok: true,
        plugin: await client.uploadPlugin({ files: { file }, headers, signal: context.stop }),
      };
    } catch (error) {
      const reason = error instanceof ClientError ? refusal(error) : `no answer: ${messageOf(error)}`;
      return { ok: false, detail: `${url.origin}: ${reason}` };
    }
  };
}

const refusal = ({ status, detail }: ClientError): string =>
  status === 401 ? `${detail} (is CANONRY_TOKEN still valid?)` : detail;

function addressOf(text: string): URL {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new CommandError(`--url takes an address such as http://127.0.0.1:8000, not '${text}'`);
}
