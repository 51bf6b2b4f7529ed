/**
 * {@code heddle demo}: scenes on a store in a temporary directory that show what Heddle does and check it. Start at
 * {@link dev.heddle.cli.demo.DemoCommand}; each scene is a class.
 */
@NullMarked
package dev.heddle.cli.demo;

import org.jspecify.annotations.NullMarked;
