import { type CSSProperties, useMemo } from 'react';
import type { EntityAddress } from '../../../data/entity.ts';
import { useNeighbours } from '../../../data/references.ts';
import { useWorld } from '../../../data/world.tsx';
import { neighbourhoodOf, nodeKey, type PlacedNode } from '../../../domain/neighbourhood.ts';
import { addressOf } from '../../../domain/places.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Link } from '../../../kit/router/link.tsx';
import styles from './references.module.css';
import { referencesTexts } from './references-texts.ts';

const NAME_WIDTH = 150;
const MARGIN = 22;
const LONGEST_NAME = 22;

/** The entities one reference away, as a ring. The lists beside it say the same in words. */
export function AroundGraph({ entity }: { entity: EntityAddress }) {
  const texts = useTexts(referencesTexts);
  const { data } = useNeighbours(entity);
  const centre = nodeKey({ entity_type: entity.type, entity_id: entity.id });
  const graph = useMemo(() => data && neighbourhoodOf(centre, data.nodes, data.edges), [data, centre]);
  if (!graph || graph.nodes.length === 0) return null;
  const name = data?.nodes.find((node) => nodeKey(node) === centre)?.name ?? entity.id;
  const [halfWidth, halfHeight] = [graph.radiusX + NAME_WIDTH, graph.radiusY + MARGIN];
  return (
    <figure className={styles.graph}>
      <nav aria-label={texts.around(name)}>
        <svg viewBox={`${-halfWidth} ${-halfHeight} ${2 * halfWidth} ${2 * halfHeight}`} role="presentation">
          {graph.lines.map(({ key, isToCentre, ...ends }) => (
            <line key={key} {...ends} className={isToCentre ? styles.spoke : styles.chord} />
          ))}
          <circle r={9} className={styles.centre} />
          {graph.nodes.map((node) => (
            <Neighbour key={node.key} node={node} />
          ))}
        </svg>
      </nav>
      <figcaption className={styles.quiet}>
        {texts.around(name)}
        {graph.omitted > 0 && ` ${texts.aroundMore(graph.omitted)}`}
      </figcaption>
    </figure>
  );
}

function Neighbour({ node: { entity_type, entity_id, name, x, y, side } }: { node: PlacedNode }) {
  const { project, typeOf } = useWorld();
  const type = typeOf(entity_type);
  const address = addressOf({ screen: 'entity', project, type: entity_type, id: entity_id });
  return (
    <Link
      href={address}
      className={styles.node}
      style={{ '--color': type?.color ?? 'gray' } as CSSProperties}
    >
      <title>{type ? `${name}, ${type.label}` : name}</title>
      <circle cx={x} cy={y} r={6} />
      <text x={side === 'end' ? x + 12 : x - 12} y={y} textAnchor={side === 'end' ? 'start' : 'end'}>
        {shortName(name)}
      </text>
    </Link>
  );
}

function shortName(name: string): string {
  const letters = Array.from(name);
  return letters.length <= LONGEST_NAME
    ? name
    : `${letters
        .slice(0, LONGEST_NAME - 1)
        .join('')
        .trimEnd()}…`;
}
