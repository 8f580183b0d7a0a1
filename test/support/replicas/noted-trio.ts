import type { Disk } from './disk.ts';
import type { Journal } from './journal.ts';
import type { LiveNode } from './live-node.ts';
import type { Trio } from './trio.ts';

/** Notes whatever is done to the nodes. */
export function notedTrio(trio: Trio, journal: Journal): Trio {
  const hub = notedNode(trio.hub, journal);
  const installs = trio.installs.map((node) => notedNode(node, journal));
  return { ...trio, hub, installs, nodes: [hub, ...installs] };
}

const notedNode = (node: LiveNode, journal: Journal): LiveNode => {
  const note = (what: string, details?: object) => journal.note(node.name, what, details);
  return {
    ...node,
    disk: (project) => notedDisk(node.disk(project), note),
    async call<Body>(project: string, method: string, path: string, body?: object): Promise<Body> {
      const what = `${method} ${path}`;
      note(what, { body });
      try {
        const reply = await node.call<Body>(project, method, path, body);
        note(`${what} answered`, { reply });
        return reply;
      } catch (error) {
        note(`${what} failed`, { error: String(error) });
        throw error;
      }
    },
    async restart() {
      note('killed');
      await node.restart();
      note('runs again');
    },
    jump(milliseconds) {
      note('clock jumps', { milliseconds });
      return node.jump(milliseconds);
    },
  };
};

const notedDisk = (disk: Disk, note: (what: string, details?: object) => void): Disk => ({
  ...disk,
  write(path, text) {
    note('written on disk', { path, text });
    disk.write(path, text);
  },
  remove(path) {
    note('removed from disk', { path });
    disk.remove(path);
  },
  move(from, to) {
    note('moved on disk', { from, to });
    disk.move(from, to);
  },
  async without(work) {
    note('folder is away');
    await disk.without(work);
    note('folder is back');
  },
});
