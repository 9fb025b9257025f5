/** A paper account has keys of its own. The server decides; this only chooses what the page shows. */
export const isPaperKey = (key: string | null): boolean => key?.startsWith('xb_paper_') === true
