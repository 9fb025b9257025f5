// The program's version. A test holds it to package.json and the changelog.
export const version = '0.3.0'
