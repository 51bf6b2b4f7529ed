/** What is logged where: {@link dev.heddle.cli.log.Logging}. */
@NullMarked
package dev.heddle.cli.log;

import org.jspecify.annotations.NullMarked;
