/**
 * Homes and configurations that the user did not write. A configuration names programs to run and databases to send
 * passwords to, so one that came with a repository or belongs to another user is not used before the user trusts it.
 * Start at {@link dev.heddle.cli.trust.Trust}.
 */
@NullMarked
package dev.heddle.cli.trust;

import org.jspecify.annotations.NullMarked;
