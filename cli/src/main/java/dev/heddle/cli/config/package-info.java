/**
 * Reads {@code heddle.yaml} and {@code batch.yaml}, strictly. Start at {@link dev.heddle.cli.config.ConfigFile}, which
 * returns a {@link dev.heddle.cli.config.Config}; {@code ConfigKeys} lists every key with its default.
 */
@NullMarked
package dev.heddle.cli.config;

import org.jspecify.annotations.NullMarked;
