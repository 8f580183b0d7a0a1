import { soundsConformance } from '../sounds.conformance.ts';
import { createWasmSounds } from './wasm-sounds.ts';

soundsConformance('in a process of their own', createWasmSounds);
