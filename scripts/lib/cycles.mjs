/**
 * One chain of files for every group that imports itself in a cycle.
 * @param {Map<string, string[]>} graph file to imported files
 * @returns {string[][]} each begins and ends with the same file
 */
export function findCycles(graph) {
  const done = new Set();
  const cycles = [];
  const visit = (file, path) => {
    const at = path.indexOf(file);
    if (at >= 0) return void cycles.push([...path.slice(at), file]);
    if (done.has(file)) return;
    for (const target of graph.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return cycles;
}
