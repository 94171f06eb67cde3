this is no reference;
