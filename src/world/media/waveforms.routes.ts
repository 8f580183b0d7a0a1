import { type Route, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import { getWaveform } from './waveforms.contract.ts';
import type { Waveforms } from './waveforms.service.ts';

export interface WaveformRoutesOptions {
  projects: Projects;
  waveforms: Waveforms;
}

export const waveformRoutes = ({ projects, waveforms }: WaveformRoutesOptions): Route[] => [
  route(getWaveform, async (request) => {
    const { points = 500 } = request.query;
    return waveforms.get(await requestProject(projects, request), request.params.id, points);
  }),
];
