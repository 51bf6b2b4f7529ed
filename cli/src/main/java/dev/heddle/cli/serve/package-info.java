/**
 * {@code heddle serve}: {@link dev.heddle.cli.serve.ServeCommand} starts a node on its home and keeps it until it is
 * told to stop.
 */
@NullMarked
package dev.heddle.cli.serve;

import org.jspecify.annotations.NullMarked;
