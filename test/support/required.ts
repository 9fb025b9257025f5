// What a machine may lack: tests that need it are skipped there, and fail where `CROSSBOOK_TEST_REQUIRE` names it (as .ci/run does with all that it
// found or installed), so that nothing is skipped unseen.

/** Call it where `name` is not there; throws where it must be. */
export function lacks(
  name: 'python' | 'chromium' | 'nginx' | 'kafka',
  reason: string,
  required = process.env.CROSSBOOK_TEST_REQUIRE ?? '',
): void {
  if (required.split(',').includes(name)) throw new Error(`CROSSBOOK_TEST_REQUIRE names ${name}: ${reason}`)
}
