import type { ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { notFound } from '../../../kit/errors.ts';
import { cutAfter } from '../../../text/cut.ts';
import { getRulesMarkdown } from '../../../world/definitions/rules/rules.contract.ts';
import { getTemplate } from '../../../world/definitions/templates/templates.contract.ts';
import { exportMarkdown } from '../../../world/mirror/markdown.contract.ts';
import type { Agent } from '../agent.ts';
import { MARKDOWN, type ResourceAddress, readAddress } from './resource-address.ts';

/** Characters: a longer file is read in parts, by the tool read_entity. */
const MOST_CHARACTERS = 200_000;
const MOST_SHOWN = 200;

/** The file that a resource stands for. 404 if there is none. */
export async function readResource(agent: Agent, uri: string): Promise<ReadResourceResult> {
  const address = readAddress(uri);
  if (address === null)
    throw notFound(
      `'${cutAfter(uri, MOST_SHOWN)}' is no resource: addresses are canonry://entity/{type}/{id}, canonry://template/{type} and canonry://rules/{type}`,
    );
  const { content } = await fileOf(agent, address);
  const isCut = content.length > MOST_CHARACTERS;
  const text = isCut
    ? `${content.slice(0, MOST_CHARACTERS)}\n[Cut after ${MOST_CHARACTERS} of ${content.length} characters: the tool read_entity reads on with offset]\n`
    : content;
  return { contents: [{ uri, mimeType: MARKDOWN, text }] };
}

function fileOf(agent: Agent, { kind, parts: [first = '', second = ''] }: ResourceAddress) {
  switch (kind) {
    case 'entity':
      return agent.ask(exportMarkdown, { params: { type: first, id: second } });
    case 'template':
      return agent.ask(getTemplate, { params: { name: first } });
    case 'rules':
      return agent.ask(getRulesMarkdown, { params: { type: first } });
  }
}
