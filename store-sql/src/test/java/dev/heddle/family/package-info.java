/** Tests of job families on both stores while their nodes are killed. */
@NullMarked
package dev.heddle.family;

import org.jspecify.annotations.NullMarked;
