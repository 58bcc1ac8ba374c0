{end}}  // namespace gpusched

#endif  // GPUSCHED_{M}_HPP
