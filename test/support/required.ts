// Things a machine may lack: tests that need them are skipped there, but fail when `CROSSBOOK_TEST_REQUIRE` names them (as .ci/run does for
// all it found or installed), so that nothing is skipped unnoticed.

/** Call it when `name` is missing; throws when it is required. */
export function lacks(
  name: 'python' | 'chromium' | 'nginx' | 'kafka',
  reason: string,
  required = process.env.CROSSBOOK_TEST_REQUIRE ?? '',
): void {
  if (required.split(',').includes(name)) throw new Error(`CROSSBOOK_TEST_REQUIRE names ${name}: ${reason}`)
}
