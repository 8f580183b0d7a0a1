import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWriteQueue, type Transaction } from './write-queue.ts';

/** Transactions on a list of lines; a rollback removes the lines of the savepoint or transaction. */
function lines(fail: { commit?: Error; rollbackToSavepoint?: Error } = {}) {
  let stored: string[] = [];
  let commits = 0;
  const durable: boolean[] = [];
  const begin = async (isDurable: boolean): Promise<Transaction<string[]>> => {
    durable.push(isDurable);
    const connection = [...stored];
    let mark = 0;
    return {
      connection,
      savepoint: async () => {
        mark = connection.length;
      },
      releaseSavepoint: async () => {},
      rollbackToSavepoint: async () => {
        if (fail.rollbackToSavepoint) throw fail.rollbackToSavepoint;
        connection.length = mark;
      },
      commit: async () => {
        if (fail.commit) throw fail.commit;
        commits += 1;
        stored = connection;
      },
      rollback: async () => {},
    };
  };
  return { begin, queue: createWriteQueue(begin), stored: () => stored, commits: () => commits, durable };
}

const push = (line: string) => async (connection: string[]) => connection.push(line);

test('writers that wait together share a commit', async () => {
  const { queue, stored, commits } = lines();
  await Promise.all(Array.from({ length: 50 }, (_, index) => queue.run(push(`line ${index}`))));
  assert.equal(stored().length, 50);
  assert.equal(commits(), 1);
});

test('a commit waits for the disk unless none of its writers asks for that', async () => {
  const { queue, durable } = lines();
  await queue.run(push('a'), { durable: false });
  await Promise.all([queue.run(push('b'), { durable: false }), queue.run(push('c'))]);
  await queue.run(push('d'), { durable: false });
  assert.deepEqual(durable, [false, true, false]);
});

test('a writer is told after the commit', async () => {
  const { queue, stored } = lines();
  await queue.run(push('a'));
  assert.deepEqual(stored(), ['a']);
});

test('one that fails loses only its own lines', async () => {
  const { queue, stored, commits } = lines();
  const bad = queue.run(async (connection) => {
    connection.push('half');
    throw new Error('no');
  });
  await Promise.all([queue.run(push('a')), assert.rejects(bad, /no/), queue.run(push('b'))]);
  assert.deepEqual(stored(), ['a', 'b']);
  assert.equal(commits(), 1);
});

test('a failed commit fails every writer of it, and the next ones go on', async () => {
  const fail: { commit?: Error } = { commit: new Error('disk full') };
  const { queue, stored } = lines(fail);
  await Promise.all([
    assert.rejects(queue.run(push('a')), /disk full/),
    assert.rejects(queue.run(push('b')), /disk full/),
  ]);
  delete fail.commit;
  await queue.run(push('c'));
  assert.deepEqual(stored(), ['c']);
});

test('when the database ended the transaction itself, the cause is told', async () => {
  const { queue } = lines({ rollbackToSavepoint: new Error('no such savepoint') });
  await assert.rejects(
    queue.run(() => Promise.reject(new Error('disk full'))),
    /disk full/,
  );
});

test('one that another process pushed out runs again, but not for ever', async () => {
  const pushedOut = new Error('deadlock');
  const { begin, stored } = lines();
  const queue = createWriteQueue(begin, { isPassing: (error) => error === pushedOut });
  let attempts = 0;
  const lucky = queue.run(async (connection) => {
    attempts += 1;
    if (attempts < 3) throw pushedOut;
    connection.push('a');
  });
  await Promise.all([
    lucky,
    assert.rejects(
      queue.run(() => Promise.reject(pushedOut)),
      pushedOut,
    ),
  ]);
  assert.deepEqual(stored(), ['a']);
});

test('idle waits for what runs', async () => {
  const { queue, stored } = lines();
  const running = queue.run(push('a'));
  await queue.idle();
  assert.deepEqual(stored(), ['a']);
  await running;
});

test('writers that take long share no commit, and others have their turn between them', async () => {
  const { begin, stored, commits } = lines();
  const queue = createWriteQueue(begin, { longestMs: 1 });
  let turn = 0;
  const count = () => {
    turn += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const slow = (line: string) => async (connection: string[]) => {
    const end = performance.now() + 15;
    while (performance.now() < end);
    connection.push(line);
    return turn;
  };
  const turns = await Promise.all(['a', 'b', 'c'].map((line) => queue.run(slow(line))));
  clearImmediate(counting);
  assert.deepEqual(stored(), ['a', 'b', 'c']);
  assert.equal(commits(), 3);
  assert.equal(new Set(turns).size, 3, `turns ${turns}`);
});

test('what a long writer leaves to the next transaction keeps its place before those that come later', async () => {
  const { begin, stored } = lines();
  const queue = createWriteQueue(begin, { longestMs: -1 });
  const late: Promise<unknown>[] = [];
  const first = queue.run(async (connection) => {
    connection.push('a');
    late.push(queue.run(push('c')));
  });
  await Promise.all([first, queue.run(push('b'))]);
  await Promise.all(late);
  assert.deepEqual(stored(), ['a', 'b', 'c']);
});
