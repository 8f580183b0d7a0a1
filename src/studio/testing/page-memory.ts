import type { CDPSession, Page } from 'playwright-core';

export interface PageMemory {
  /** Megabytes of what scripts have made and still reach. */
  heap: number;
  /** Of the document, and of what was taken from it and is still reached. */
  nodes: number;
  /** The number of text editors that are reached from somewhere but no longer in the page. */
  detachedEditors: number;
}

const QUERY = 'page-memory';

/** After collecting garbage. */
export async function memoryOf(page: Page): Promise<PageMemory> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  const detachedEditors = await countDetached(session, 'cm-editor');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes } = await session.send('Memory.getDOMCounters');
  await session.detach();
  return { heap: usedSize / 1_000_000, nodes, detachedEditors };
}

async function countDetached(session: CDPSession, className: string): Promise<number> {
  const { result } = await session.send('Runtime.evaluate', {
    expression: 'HTMLDivElement.prototype',
    objectGroup: QUERY,
  });
  const { objects } = await session.send('Runtime.queryObjects', {
    prototypeObjectId: result.objectId ?? '',
    objectGroup: QUERY,
  });
  const counted = await session.send('Runtime.callFunctionOn', {
    functionDeclaration: `function (name) {
      return this.filter((element) => !element.isConnected && element.classList.contains(name)).length;
    }`,
    arguments: [{ value: className }],
    returnByValue: true,
    ...(objects.objectId !== undefined && { objectId: objects.objectId }),
  });
  // The group would keep alive all that was found.
  await session.send('Runtime.releaseObjectGroup', { objectGroup: QUERY });
  return counted.result.value;
}
