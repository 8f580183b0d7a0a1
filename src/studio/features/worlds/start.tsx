import { useEffect } from 'react';
import { useLastWorld } from '../../data/last-world.ts';
import { useProjects } from '../../data/projects.ts';
import { addressOf } from '../../domain/places.ts';
import { goTo } from '../../kit/router/router.ts';

/** Leads to the world where the user was last, to the only one, or to the choice. */
export function Start() {
  const { data: projects, isError } = useProjects();
  const last = useLastWorld();
  useEffect(() => {
    if (isError && !projects) goTo(addressOf({ screen: 'worlds' }), { replace: true });
    if (!projects || last === undefined) return;
    const project =
      projects.find(({ id }) => id === last) ?? (projects.length === 1 ? projects[0] : undefined);
    goTo(addressOf(project ? { screen: 'home', project: project.id } : { screen: 'worlds' }), {
      replace: true,
    });
  }, [projects, isError, last]);
  return null;
}
