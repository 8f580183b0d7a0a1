import { binaryReply, contract } from '../../kit/contract.ts';

/** Bytes that an export holds in memory: a part of a file, before and after compression, and the directory. */
const MEMORY_OF_EXPORT = 16 * 1024 * 1024;

export const exportArchive = contract('GET /api/export/archive', {
  name: 'exportArchive',
  auth: 'bearer',
  tag: 'Exports',
  summary: 'A project as a zip',
  description:
    'Every file of the content folder as it lies there: entities, templates, rules, assets. What is hidden and the recycle bin are left out. `_PluginData/` has the settings of plugins, without secrets, and their data. The zip is made while it is sent; a file that changes meanwhile is in it as it was when its turn came.',
  project: true,
  reply: binaryReply,
  replyType: 'application/zip',
  memory: MEMORY_OF_EXPORT,
});
