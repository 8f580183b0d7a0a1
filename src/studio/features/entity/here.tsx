import { useEffect } from 'react';
import { useLive } from '../../data/live.ts';
import { usePeople } from '../../data/people.ts';
import { useStore } from '../../data/store.ts';
import { useWorld } from '../../data/world.tsx';
import { peopleAt } from '../../domain/attendance.ts';
import type { EntityPlace } from '../../domain/places.ts';
import { Avatar } from '../../kit/ui/avatar.tsx';
import styles from './here.module.css';

const NOBODY = { subscribe: () => () => undefined, getSnapshot: () => [] };

/** The other people who are at this entity. */
export function Here({ place: { type, id } }: { place: EntityPlace }) {
  const people = usePeople();
  const all = useAttendants();
  const here = peopleAt(all, { type, id, field: undefined });
  return (
    <ul className={styles.here}>
      {here.map(({ user_id, user_name }) => (
        <li key={user_id}>
          <Avatar id={user_id} name={user_name} src={people.get(user_id)?.avatar ?? null} size="s" />
        </li>
      ))}
    </ul>
  );
}

function useAttendants() {
  const live = useLive();
  const { subscribe, getSnapshot } = live?.presence ?? NOBODY;
  return useStore({ get: getSnapshot, subscribe });
}

/** Tells others where the user is: at this entity, and in which part of it. Somebody who may write counts as writing here. */
export function useSayingWhere({ type, id }: EntityPlace, field: string | null): void {
  const live = useLive();
  const { can } = useWorld();
  const status = can('edit_entities') ? 'editing' : 'online';
  useEffect(() => {
    live?.say({
      status,
      entity_type: type,
      entity_id: id,
      ...(field !== null && { field }),
    });
  }, [live, status, type, id, field]);
}
