import { access, constants } from 'node:fs/promises';

/** Opened by whatever computes on a card of NVIDIA, and on one of AMD. */
const DEVICES = ['/dev/nvidia0', '/dev/kfd'];

/** True if this process may open a graphics processor that models run on. On Windows none is looked for. */
export async function gpuAvailable(): Promise<boolean> {
  if (process.platform === 'darwin') return process.arch === 'arm64';
  const tries = DEVICES.map((device) => access(device, constants.R_OK | constants.W_OK));
  return (await Promise.allSettled(tries)).some(({ status }) => status === 'fulfilled');
}
