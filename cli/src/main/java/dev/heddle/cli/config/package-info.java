/**
 * {@code heddle.yaml}: {@link dev.heddle.cli.config.ConfigFile} reads it into a {@link dev.heddle.cli.config.Config},
 * strictly; {@link dev.heddle.cli.config.Keys} lists every key with its default.
 */
@NullMarked
package dev.heddle.cli.config;

import org.jspecify.annotations.NullMarked;
