// The program's version. A test compares it with package.json and the changelog.
export const version = '0.5.0'
