const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const PROCESSORS = [
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];
const LIBRARIES = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' };

/**
 * Lock entries for optional dependencies that a locked package names with an exact version, but that are not
 * locked.
 * @param {Record<string, object>} packages the `packages` of a lock file
 */
export function missingOptionals(packages) {
  const missing = {};
  for (const entry of Object.values(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const path = `node_modules/${name}`;
      if (packages[path] || !/^\d+\.\d+\.\d+$/.test(version)) continue;
      missing[path] = { version, ...platformOf(name), ...(entry.dev && { dev: true }), optional: true };
    }
  }
  return missing;
}

/** The platform in a package's name, as in `binding-linux-x64-gnu`. */
function platformOf(name) {
  const words = name.split(/[/-]/);
  const os = SYSTEMS.filter((system) => words.includes(system));
  const cpu = PROCESSORS.filter((processor) => words.includes(processor));
  const libc = words.flatMap((word) => LIBRARIES[word] ?? []);
  return { ...(cpu.length > 0 && { cpu }), ...(os.length > 0 && { os }), ...(libc.length > 0 && { libc }) };
}
