/** True if a Node version such as `24.21.0` runs the sources: type stripping without a flag and better-sqlite3's binary. */
export function isSupported(version) {
  const [major, minor] = version.split('.').map(Number);
  return major >= 24 || (major === 22 && minor >= 18);
}

export const tooOld = (version) =>
  `Canonry needs Node.js 22.18 or newer (24 is best), this is ${version}. Install it from https://nodejs.org/ or with your version manager, then run the command again.`;
