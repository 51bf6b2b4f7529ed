@NullMarked
package dev.heddle.server;

import org.jspecify.annotations.NullMarked;
