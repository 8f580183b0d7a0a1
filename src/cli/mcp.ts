import { PassThrough, Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { LOCAL_TENANT } from '../access/local-tenant.ts';
import type { Config } from '../kit/config/index.ts';
import { newId } from '../kit/ids.ts';
import { type CliContext, CommandError, EXIT, type ExitCode } from './context.ts';
import { withDataLock } from './data-lock.ts';
import { relayToService } from './mcp-relay.ts';
import { withCore } from './one-off-core.ts';
import { projectIdOf, settings } from './project.ts';
import { runSync } from './run-sync.ts';

export interface McpOptions {
  url?: string;
  key?: string;
  project?: string;
}

const ADVICE =
  'An agent reaches a running service by its address: canonry mcp --url http://127.0.0.1:8000, with an API key in CANONRY_API_KEY';

/** Serves the agent that started this process until it closes standard input, or the process is asked to end. */
export async function mcp(context: CliContext, options: McpOptions): Promise<ExitCode> {
  const key = options.key ?? context.env.CANONRY_API_KEY;
  const transport = standardStreams(context);
  if (options.url !== undefined) {
    if (!key) throw new CommandError('--url needs an API key: --key, or CANONRY_API_KEY');
    await relayToService(transport, { url: addressOf(options.url), key, project: options.project });
    return EXIT.ok;
  }
  if (options.key !== undefined) throw new CommandError('--key goes with --url');
  const config = settings(context);
  await withDataLock(config, () => serveHere(context, config, transport, projectIdOf(options)), ADVICE);
  return EXIT.ok;
}

function addressOf(text: string): URL {
  const url = URL.parse('/api/mcp', text);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new CommandError(`--url takes an address such as http://127.0.0.1:8000, not '${text}'`);
}

/** Opens the content folder in this process. Whoever may start it may change the files: what the agent wants changed still waits. */
const serveHere = (
  context: CliContext,
  config: Config,
  transport: StdioServerTransport,
  projectId: string,
): Promise<void> =>
  withCore(
    context,
    config,
    projectId,
    async (open) => {
      await runSync({ ...context, out: context.err }, open);
      await open.core.agents.serve(transport, {
        principal: {
          userId: 'cli',
          email: '',
          tenantId: LOCAL_TENANT,
          role: 'owner',
          tenantRole: 'owner',
          plan: config.localPlan,
        },
        tenantId: LOCAL_TENANT,
        projectId,
        actor: 'cli',
        plan: config.localPlan,
        requestId: newId(),
        address: '127.0.0.1',
      });
    },
    { watch: true },
  );

/** The transport closes at the end of standard input and when the process is asked to end: nothing but messages is written. */
function standardStreams({ input, out, stop }: CliContext): StdioServerTransport {
  const incoming = new PassThrough();
  const outgoing = new Writable({
    write(chunk: Buffer, _encoding, done) {
      out.write(chunk);
      done();
    },
  });
  const transport = new StdioServerTransport(incoming, outgoing);
  const close = () => void transport.close();
  const source = Readable.from(input, { objectMode: false });
  source.once('error', close);
  source.once('end', close);
  stop.addEventListener('abort', close, { once: true });
  source.pipe(incoming);
  return transport;
}
