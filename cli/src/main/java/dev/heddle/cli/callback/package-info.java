/**
 * Calls commands and webhooks when jobs end. Start at {@link dev.heddle.cli.callback.Callbacks}.
 */
@NullMarked
package dev.heddle.cli.callback;

import org.jspecify.annotations.NullMarked;
