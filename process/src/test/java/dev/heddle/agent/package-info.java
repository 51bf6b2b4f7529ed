@NullMarked
package dev.heddle.agent;

import org.jspecify.annotations.NullMarked;
