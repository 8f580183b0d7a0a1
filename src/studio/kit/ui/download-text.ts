/** Gives the user a file. */
export function downloadFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Gives the user a text as a file. */
export const downloadText = (text: string, name: string): void =>
  downloadFile(new Blob([text], { type: 'text/markdown' }), name);
