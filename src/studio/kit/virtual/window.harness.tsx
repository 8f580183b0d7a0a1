import { useRef } from 'react';
import { createRoot } from 'react-dom/client';
import { useMeasuredWindow } from './use-measured-window.ts';

const COUNT = 2_000;
const heightOf = (index: number): number => 40 + ((index * 37) % 120);

function List() {
  const box = useRef<HTMLDivElement>(null);
  const view = useMeasuredWindow(box, COUNT, { heightOf: () => 60, keyOf: (index) => `row ${index}` });
  return (
    <>
      <h1>Rows</h1>
      <button type="button" onClick={() => view.scrollTo(COUNT - 1)}>
        To the end
      </button>
      <div ref={box} data-testid="box" style={{ blockSize: 400, overflow: 'auto' }} tabIndex={-1}>
        <div style={{ position: 'relative', blockSize: view.height }}>
          {view.rows.map((row) => {
            const { style, ...props } = view.propsOf(row);
            const own = { position: 'absolute', insetBlockStart: 0, margin: 0 } as const;
            return (
              <p key={row.index} {...props} style={{ ...own, ...style, blockSize: heightOf(row.index) }}>
                Row {row.index}
              </p>
            );
          })}
        </div>
      </div>
    </>
  );
}

const root = document.querySelector('#root');
if (root) createRoot(root).render(<List />);
