@NullMarked
package dev.heddle.testkit.fuzz;

import org.jspecify.annotations.NullMarked;
